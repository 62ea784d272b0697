CREATE INDEX `invites_person` ON `invites` (`person_id`) WHERE person_id is not null;
--> statement-breakpoint
CREATE INDEX `invites_claimed_by` ON `invites` (`claimed_by`) WHERE claimed_by is not null;