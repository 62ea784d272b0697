CREATE INDEX `people_flying_updated` ON `people` (`updated_at`,`id`) WHERE (instr("people"."types", '"student"') > 0 or instr("people"."types", '"pilot"') > 0 or instr("people"."types", '"instructor"') > 0);
--> statement-breakpoint
CREATE INDEX `people_pilots_updated` ON `people` (`updated_at`,`id`) WHERE (instr("people"."types", '"student"') > 0 or instr("people"."types", '"pilot"') > 0);
--> statement-breakpoint
CREATE INDEX `people_instructor_updated` ON `people` (`updated_at`,`id`) WHERE (instr("people"."types", '"instructor"') > 0);
--> statement-breakpoint
CREATE INDEX `flights_public_off_block` ON `flights` (case when off_block_at is null then '' else off_block_at end,`id`) WHERE status <> 'draft';
--> statement-breakpoint
CREATE INDEX `flights_updated` ON `flights` (`updated_at`,`id`) WHERE status <> 'draft';
--> statement-breakpoint
CREATE INDEX `flights_status_updated` ON `flights` (`status`,`updated_at`,`id`) WHERE status <> 'draft';