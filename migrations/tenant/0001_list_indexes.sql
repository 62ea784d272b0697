DROP INDEX `flights_aircraft`;--> statement-breakpoint
DROP INDEX `flights_off_block`;--> statement-breakpoint
DROP INDEX `flights_status_off_block`;--> statement-breakpoint
CREATE INDEX `flights_aircraft_off_block` ON `flights` (`aircraft_id`,case when off_block_at is null then '' else off_block_at end,`id`);--> statement-breakpoint
CREATE INDEX `flights_aircraft_status_off_block` ON `flights` (`aircraft_id`,`status`,case when off_block_at is null then '' else off_block_at end,`id`);--> statement-breakpoint
CREATE INDEX `flights_created_by` ON `flights` (`created_by`);--> statement-breakpoint
CREATE INDEX `flights_off_block` ON `flights` (case when off_block_at is null then '' else off_block_at end,`id`);--> statement-breakpoint
CREATE INDEX `flights_status_off_block` ON `flights` (`status`,case when off_block_at is null then '' else off_block_at end,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`seq`) WHERE "audit_log"."org_id" is null;--> statement-breakpoint
CREATE INDEX `audit_log_kind` ON `audit_log` (`subject_kind`,`seq`) WHERE "audit_log"."org_id" is null;--> statement-breakpoint
CREATE INDEX `audit_log_kind_action` ON `audit_log` (`subject_kind`,`action`,`seq`) WHERE "audit_log"."org_id" is null;--> statement-breakpoint
CREATE INDEX `audit_log_org_action` ON `audit_log` (`org_id`,`action`,`seq`) WHERE "audit_log"."org_id" is not null;--> statement-breakpoint
CREATE INDEX `audit_log_org_kind` ON `audit_log` (`org_id`,`subject_kind`,`seq`) WHERE "audit_log"."org_id" is not null;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_kept` ON `webhook_endpoints` (`id`) WHERE "webhook_endpoints"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `people_flying` ON `people` (`name`,`id`) WHERE (instr("people"."types", '"student"') > 0 or instr("people"."types", '"pilot"') > 0 or instr("people"."types", '"instructor"') > 0);--> statement-breakpoint
CREATE INDEX `people_pilots` ON `people` (`name`,`id`) WHERE (instr("people"."types", '"student"') > 0 or instr("people"."types", '"pilot"') > 0);--> statement-breakpoint
CREATE INDEX `people_student` ON `people` (`name`,`id`) WHERE (instr("people"."types", '"student"') > 0);--> statement-breakpoint
CREATE INDEX `people_pilot` ON `people` (`name`,`id`) WHERE (instr("people"."types", '"pilot"') > 0);--> statement-breakpoint
CREATE INDEX `people_instructor` ON `people` (`name`,`id`) WHERE (instr("people"."types", '"instructor"') > 0);--> statement-breakpoint
CREATE INDEX `people_mechanic` ON `people` (`name`,`id`) WHERE (instr("people"."types", '"mechanic"') > 0);--> statement-breakpoint
CREATE INDEX `people_staff` ON `people` (`name`,`id`) WHERE (instr("people"."types", '"staff"') > 0);--> statement-breakpoint
CREATE INDEX `people_email` ON `people` (`email`);--> statement-breakpoint
CREATE INDEX `aircraft_status` ON `aircraft` (`status`,`registration`);