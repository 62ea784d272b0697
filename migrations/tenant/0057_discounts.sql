ALTER TABLE `finance_charges` ADD `reduces_id` text;
--> statement-breakpoint
CREATE INDEX `finance_charges_reduces` ON `finance_charges` (`reduces_id`);