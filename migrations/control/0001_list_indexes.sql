DROP INDEX `invites_org`;--> statement-breakpoint
CREATE INDEX `invites_list` ON `invites` (`org_id`,person_id is null,`id`);--> statement-breakpoint
CREATE INDEX `invites_state` ON `invites` (`org_id`,person_id is null,case when claimed_at is not null then 'claimed' when revoked_at is not null then 'revoked' else 'pending' end,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_action` ON `audit_log` (`action`,`seq`) WHERE "audit_log"."org_id" is null;--> statement-breakpoint
CREATE INDEX `audit_log_kind` ON `audit_log` (`subject_kind`,`seq`) WHERE "audit_log"."org_id" is null;--> statement-breakpoint
CREATE INDEX `audit_log_kind_action` ON `audit_log` (`subject_kind`,`action`,`seq`) WHERE "audit_log"."org_id" is null;--> statement-breakpoint
CREATE INDEX `audit_log_org_action` ON `audit_log` (`org_id`,`action`,`seq`) WHERE "audit_log"."org_id" is not null;--> statement-breakpoint
CREATE INDEX `audit_log_org_kind` ON `audit_log` (`org_id`,`subject_kind`,`seq`) WHERE "audit_log"."org_id" is not null;--> statement-breakpoint
CREATE INDEX `sessions_last_seen` ON `sessions` (`user_id`,`rotated_at`,`id`) WHERE "sessions"."revoked_at" is null;