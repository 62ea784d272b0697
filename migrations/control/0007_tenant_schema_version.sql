ALTER TABLE `tenant_marks` ADD `schema_version` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `tenant_marks_schema_version` ON `tenant_marks` (`schema_version`);