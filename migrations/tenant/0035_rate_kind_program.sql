UPDATE `finance_rates` SET `kind` = 'program' WHERE `kind` = 'programme';
--> statement-breakpoint
UPDATE `finance_charges` SET `kind` = 'program' WHERE `kind` = 'programme';