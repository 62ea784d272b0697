CREATE TABLE `defects` (
	`id` text PRIMARY KEY NOT NULL,
	`aircraft_id` text NOT NULL,
	`flight_id` text,
	`description` text NOT NULL,
	`grounding` integer NOT NULL,
	`status` text NOT NULL,
	`work_order_id` text NOT NULL,
	`deferral_reason` text,
	`deferred_until` text,
	`deferred_until_airframe_minutes` integer,
	`changes_on` text,
	`reported_by` text,
	`rectified_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `defects_aircraft` ON `defects` (`aircraft_id`,`id`);
--> statement-breakpoint
CREATE INDEX `defects_aircraft_status` ON `defects` (`aircraft_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `defects_work_order` ON `defects` (`work_order_id`);
--> statement-breakpoint
CREATE INDEX `defects_changes_on` ON `defects` (`changes_on`) WHERE changes_on is not null;
--> statement-breakpoint
CREATE TABLE `work_order_items` (
	`work_order_id` text NOT NULL,
	`item_id` text NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`work_order_id`, `item_id`),
	FOREIGN KEY (`work_order_id`) REFERENCES `work_orders`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `work_order_items_item` ON `work_order_items` (`item_id`);
--> statement-breakpoint
CREATE TABLE `work_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`aircraft_id` text NOT NULL,
	`title` text NOT NULL,
	`status` text NOT NULL,
	`findings` text,
	`parts` text NOT NULL,
	`worked_minutes` integer NOT NULL,
	`notes` text,
	`opened_by` text,
	`started_at` text,
	`completed_at` text,
	`release_by` text,
	`release_licence_number` text,
	`release_on` text,
	`release_hobbs` integer,
	`release_tacho` integer,
	`release_airframe_minutes` integer,
	`release_landings` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `work_orders_status` ON `work_orders` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `work_orders_aircraft` ON `work_orders` (`aircraft_id`,`id`);
--> statement-breakpoint
CREATE INDEX `work_orders_aircraft_status` ON `work_orders` (`aircraft_id`,`status`,`id`);