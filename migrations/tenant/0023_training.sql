CREATE TABLE `training_enrollments` (
	`id` text PRIMARY KEY NOT NULL,
	`student_id` text NOT NULL,
	`program_id` text NOT NULL,
	`revision_id` text NOT NULL,
	`status` text NOT NULL,
	`started_on` text NOT NULL,
	`ended_on` text,
	`reason` text,
	`credits` text NOT NULL,
	`remarks` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`student_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`program_id`) REFERENCES `training_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`revision_id`) REFERENCES `training_revisions`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_enrollments_status` ON `training_enrollments` (`status`,`id`);
--> statement-breakpoint
CREATE INDEX `training_enrollments_program` ON `training_enrollments` (`program_id`,`id`);
--> statement-breakpoint
CREATE INDEX `training_enrollments_program_status` ON `training_enrollments` (`program_id`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `training_enrollments_student` ON `training_enrollments` (`student_id`,`id`);
--> statement-breakpoint
CREATE INDEX `training_enrollments_revision` ON `training_enrollments` (`revision_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `training_enrollments_open` ON `training_enrollments` (`student_id`,`program_id`) WHERE status in ('active', 'suspended');
--> statement-breakpoint
CREATE TABLE `training_exams` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text,
	`sitting` integer,
	`taken_on` text NOT NULL,
	`percent` integer,
	`passed` integer NOT NULL,
	`examiner` text,
	`enrollment_id` text NOT NULL,
	`student_id` text NOT NULL,
	`remarks` text,
	`status` text NOT NULL,
	`void_reason` text,
	`voided_at` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`enrollment_id`) REFERENCES `training_enrollments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`student_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_exams_enrollment` ON `training_exams` (`enrollment_id`,`taken_on`,`id`);
--> statement-breakpoint
CREATE INDEX `training_exams_student` ON `training_exams` (`student_id`,`id`);
--> statement-breakpoint
CREATE TABLE `training_ground_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`lesson_id` text NOT NULL,
	`instructor_id` text NOT NULL,
	`held_on` text NOT NULL,
	`minutes` integer NOT NULL,
	`enrollment_id` text NOT NULL,
	`student_id` text NOT NULL,
	`remarks` text,
	`status` text NOT NULL,
	`void_reason` text,
	`voided_at` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`lesson_id`) REFERENCES `training_lessons`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`enrollment_id`) REFERENCES `training_enrollments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`student_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_ground_sessions_enrollment` ON `training_ground_sessions` (`enrollment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `training_ground_sessions_student` ON `training_ground_sessions` (`student_id`,`id`);
--> statement-breakpoint
CREATE INDEX `training_ground_sessions_instructor` ON `training_ground_sessions` (`instructor_id`,`id`);
--> statement-breakpoint
CREATE TABLE `training_items` (
	`id` text PRIMARY KEY NOT NULL,
	`revision_id` text NOT NULL,
	`lesson_id` text NOT NULL,
	`position` integer NOT NULL,
	`lesson_code` text NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`scale` text NOT NULL,
	FOREIGN KEY (`revision_id`) REFERENCES `training_revisions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lesson_id`) REFERENCES `training_lessons`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_items_lesson` ON `training_items` (`lesson_id`,`position`);
--> statement-breakpoint
CREATE UNIQUE INDEX `training_items_code` ON `training_items` (`revision_id`,`lesson_code`,`code`);
--> statement-breakpoint
CREATE TABLE `training_lessons` (
	`id` text PRIMARY KEY NOT NULL,
	`revision_id` text NOT NULL,
	`position` integer NOT NULL,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`phase` text,
	`requires` text NOT NULL,
	FOREIGN KEY (`revision_id`) REFERENCES `training_revisions`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_lessons_position` ON `training_lessons` (`revision_id`,`position`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `training_lessons_code` ON `training_lessons` (`revision_id`,`code`);
--> statement-breakpoint
CREATE TABLE `training_programs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);

--> statement-breakpoint
CREATE INDEX `training_programs_name` ON `training_programs` (`name`,`id`);
--> statement-breakpoint
CREATE INDEX `training_programs_kind` ON `training_programs` (`kind`,`name`,`id`);
--> statement-breakpoint
CREATE TABLE `training_revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`program_id` text NOT NULL,
	`number` integer NOT NULL,
	`status` text NOT NULL,
	`legal_basis` text NOT NULL,
	`effective_from` text NOT NULL,
	`skill_test` integer NOT NULL,
	`theory` text,
	`subjects` text NOT NULL,
	`minima` text NOT NULL,
	`scales` text NOT NULL,
	`phases` text NOT NULL,
	`published_at` text,
	`retired_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `training_programs`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE UNIQUE INDEX `training_revisions_number` ON `training_revisions` (`program_id`,`number`);
--> statement-breakpoint
CREATE TABLE `training_signoffs` (
	`id` text PRIMARY KEY NOT NULL,
	`program_id` text NOT NULL,
	`item_id` text NOT NULL,
	`flight_id` text,
	`instructor_id` text NOT NULL,
	`signed_at` text NOT NULL,
	`grade` text NOT NULL,
	`passed` integer NOT NULL,
	`acknowledged_at` text,
	`enrollment_id` text NOT NULL,
	`student_id` text NOT NULL,
	`remarks` text,
	`status` text NOT NULL,
	`void_reason` text,
	`voided_at` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `training_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`item_id`) REFERENCES `training_items`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`flight_id`) REFERENCES `flights`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`instructor_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`enrollment_id`) REFERENCES `training_enrollments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`student_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
CREATE INDEX `training_signoffs_signed` ON `training_signoffs` (`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_program` ON `training_signoffs` (`program_id`,`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_student` ON `training_signoffs` (`student_id`,`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_instructor` ON `training_signoffs` (`instructor_id`,`signed_at`,`id`);
--> statement-breakpoint
CREATE INDEX `training_signoffs_enrollment` ON `training_signoffs` (`enrollment_id`,`item_id`,`signed_at`,`id`);
--> statement-breakpoint
ALTER TABLE `flights` ADD `lesson_id` text;
--> statement-breakpoint
ALTER TABLE `flights` ADD `enrollment_id` text;
--> statement-breakpoint
ALTER TABLE `flights` ADD `cross_country_km` integer;
--> statement-breakpoint
ALTER TABLE `flights` ADD `full_stops_elsewhere` integer;
--> statement-breakpoint
CREATE INDEX `flights_enrollment` ON `flights` (`enrollment_id`,`status`) WHERE enrollment_id is not null;