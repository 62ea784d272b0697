CREATE TABLE `finance_charges` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`flight_id` text,
	`enrollment_id` text,
	`package_id` text,
	`rate_id` text,
	`reverses_id` text,
	`reason` text,
	`description` text NOT NULL,
	`quantity` integer NOT NULL,
	`unit` text NOT NULL,
	`unit_price_minor` integer NOT NULL,
	`price_per` integer NOT NULL,
	`currency` text NOT NULL,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`vat_reason` text,
	`net_minor` integer NOT NULL,
	`on` text NOT NULL,
	`created_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`enrollment_id`) REFERENCES `training_enrollments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`package_id`) REFERENCES `finance_packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rate_id`) REFERENCES `finance_rates`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_charges_on` ON `finance_charges` (`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_status` ON `finance_charges` (`status`,`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_person` ON `finance_charges` (`person_id`,`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_person_status` ON `finance_charges` (`person_id`,`status`,`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_flight` ON `finance_charges` (`flight_id`,`on`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_enrollment` ON `finance_charges` (`enrollment_id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_package` ON `finance_charges` (`package_id`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_charges_rate` ON `finance_charges` (`rate_id`,`on`);
--> statement-breakpoint
CREATE UNIQUE INDEX `finance_charges_reverses` ON `finance_charges` (`reverses_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `finance_charges_once` ON `finance_charges` (`flight_id`,`kind`) WHERE flight_id is not null and reverses_id is null and status in ('open', 'invoiced');
--> statement-breakpoint
CREATE TABLE `finance_customers` (
	`id` text PRIMARY KEY NOT NULL,
	`audience` text,
	`company` text,
	`vat_id` text,
	`buyer_reference` text,
	`email` text,
	`street` text,
	`postcode` text,
	`city` text,
	`country` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE TABLE `finance_flights` (
	`flight_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`missing` text NOT NULL,
	`named_payer_id` text,
	`payer_id` text,
	`on` text,
	`reason` text,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`named_payer_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payer_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_flights_unbilled` ON `finance_flights` (`on`,`flight_id`) WHERE status = 'unbilled';
--> statement-breakpoint
CREATE INDEX `finance_flights_payer` ON `finance_flights` (`payer_id`);
--> statement-breakpoint
CREATE INDEX `finance_flights_named_payer` ON `finance_flights` (`named_payer_id`);
--> statement-breakpoint
CREATE TABLE `finance_packages` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`name` text NOT NULL,
	`uses` text NOT NULL,
	`aircraft_id` text,
	`icao_type` text,
	`minutes` integer NOT NULL,
	`remaining` integer NOT NULL,
	`price_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`vat_reason` text,
	`valid_from` text NOT NULL,
	`valid_until` text,
	`voided_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "finance_packages_remaining" CHECK(remaining between 0 and minutes)
);

--> statement-breakpoint
CREATE INDEX `finance_packages_person` ON `finance_packages` (`person_id`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_packages_aircraft` ON `finance_packages` (`aircraft_id`);
--> statement-breakpoint
CREATE TABLE `finance_rates` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`fuel` text,
	`aircraft_id` text,
	`icao_type` text,
	`instructor_id` text,
	`place` text,
	`program_id` text,
	`audience` text,
	`person_id` text,
	`description` text,
	`price_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`vat_reason` text,
	`valid_from` text NOT NULL,
	`valid_until` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`program_id`) REFERENCES `training_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `finance_rates_from` ON `finance_rates` (`valid_from`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_rates_aircraft` ON `finance_rates` (`aircraft_id`,`valid_from`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_rates_instructor` ON `finance_rates` (`instructor_id`);
--> statement-breakpoint
CREATE INDEX `finance_rates_program` ON `finance_rates` (`program_id`);
--> statement-breakpoint
CREATE INDEX `finance_rates_person` ON `finance_rates` (`person_id`,`valid_from`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_rates_kind` ON `finance_rates` (`kind`,`valid_from`,`id`);
--> statement-breakpoint
CREATE INDEX `finance_rates_choice` ON `finance_rates` (`kind`,case when person_id is null then '' else person_id end,`valid_from`);
--> statement-breakpoint
CREATE TABLE `finance_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`legal_name` text,
	`street` text,
	`postcode` text,
	`city` text,
	`country` text,
	`email` text,
	`phone` text,
	`vat_id` text,
	`tax_number` text,
	`iban` text,
	`bic` text,
	`vat_category` text NOT NULL,
	`vat_rate` integer NOT NULL,
	`vat_reason` text,
	`payment_days` integer NOT NULL,
	`invoice_series` text NOT NULL,
	`credit_note_series` text NOT NULL,
	`updated_at` text NOT NULL
);
