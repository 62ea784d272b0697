CREATE TABLE `planning_absences` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text,
	`from_on` text NOT NULL,
	`until_on` text NOT NULL,
	`reason` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `planning_absences_person` ON `planning_absences` (`person_id`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_absences_until` ON `planning_absences` (`person_id`,`until_on`);
--> statement-breakpoint
CREATE TABLE `planning_hours` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text,
	`weekday` integer NOT NULL,
	`from_time` text NOT NULL,
	`to_time` text NOT NULL,
	`from_on` text,
	`until_on` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `planning_hours_person` ON `planning_hours` (`person_id`,`id`);
--> statement-breakpoint
CREATE TABLE `planning_session_resources` (
	`session_id` text NOT NULL,
	`position` integer NOT NULL,
	`type` text NOT NULL,
	`resource_id` text NOT NULL,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`blocks` integer NOT NULL,
	PRIMARY KEY(`session_id`, `position`),
	FOREIGN KEY (`session_id`) REFERENCES `planning_sessions`(`id`) ON UPDATE no action ON DELETE cascade
);

--> statement-breakpoint
CREATE INDEX `planning_session_resources_start` ON `planning_session_resources` (`resource_id`,`start_at`,`session_id`);
--> statement-breakpoint
CREATE INDEX `planning_session_resources_blocking` ON `planning_session_resources` (`resource_id`,`start_at`,`end_at`,`type`,`session_id`) WHERE blocks;
--> statement-breakpoint
CREATE TABLE `planning_rooms` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`seats` integer,
	`status` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE UNIQUE INDEX `planning_rooms_name_unique` ON `planning_rooms` (`name`);
--> statement-breakpoint
CREATE INDEX `planning_rooms_status` ON `planning_rooms` (`status`,`name`);
--> statement-breakpoint
CREATE TABLE `planning_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`title` text,
	`notes` text,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`aircraft_id` text,
	`instructor_id` text,
	`room_id` text,
	`lesson_id` text,
	`series_id` text,
	`sequence` integer NOT NULL,
	`flight_id` text,
	`cancellation_reason` text,
	`cancellation_note` text,
	`cancelled_late` integer DEFAULT false NOT NULL,
	`cancelled_at` text,
	`created_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`room_id`) REFERENCES `planning_rooms`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `planning_sessions_start` ON `planning_sessions` (`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_kind` ON `planning_sessions` (`kind`,`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_status` ON `planning_sessions` (`status`,`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_room` ON `planning_sessions` (`room_id`,`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_series` ON `planning_sessions` (`series_id`,`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_instructor` ON `planning_sessions` (`instructor_id`,`start_at`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_sessions_aircraft` ON `planning_sessions` (`aircraft_id`,`start_at`,`id`);
--> statement-breakpoint
CREATE TABLE `planning_settings` (
	`id` integer PRIMARY KEY NOT NULL,
	`aircraft_buffer_minutes` integer NOT NULL,
	`instructor_buffer_minutes` integer NOT NULL,
	`duty_day_minutes` integer,
	`duty_week_minutes` integer,
	`students_book` integer NOT NULL,
	`confirm_requests` integer NOT NULL,
	`min_hours_ahead` integer,
	`max_days_ahead` integer,
	`max_open_bookings` integer,
	`cancel_notice_hours` integer NOT NULL,
	`offer_hours` integer NOT NULL,
	`buffers` text NOT NULL,
	`opening_hours` text NOT NULL,
	`availability` text NOT NULL,
	`out_of_service` text NOT NULL,
	`duty` text NOT NULL,
	`lesson_prerequisites` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE TABLE `planning_wishes` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`icao_type` text,
	`instructor_id` text,
	`from_at` text NOT NULL,
	`until_at` text NOT NULL,
	`minutes` integer NOT NULL,
	`status` text NOT NULL,
	`offered_until` text,
	`offered_start_at` text,
	`offered_end_at` text,
	`offered_aircraft_id` text,
	`offered_instructor_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`offered_aircraft_id`) REFERENCES `aircraft`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`offered_instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `planning_wishes_status` ON `planning_wishes` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_wishes_person` ON `planning_wishes` (`person_id`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_wishes_person_status` ON `planning_wishes` (`person_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `planning_wishes_window` ON `planning_wishes` (`status`,`from_at`);
--> statement-breakpoint
CREATE INDEX `planning_wishes_offered` ON `planning_wishes` (`offered_until`) WHERE status = 'offered';
--> statement-breakpoint
ALTER TABLE `notification_preferences` ADD `planning` integer DEFAULT true NOT NULL;