ALTER TABLE `finance_charges` ADD `vat_reason_code` text;
--> statement-breakpoint
ALTER TABLE `finance_customers` ADD `register_number` text;
--> statement-breakpoint
ALTER TABLE `finance_packages` ADD `vat_reason_code` text;
--> statement-breakpoint
ALTER TABLE `finance_rates` ADD `vat_reason_code` text;
--> statement-breakpoint
ALTER TABLE `finance_settings` ADD `vat_reason_code` text;
--> statement-breakpoint
ALTER TABLE `finance_invoice_lines` ADD `vat_reason_code` text;
--> statement-breakpoint
ALTER TABLE `finance_invoices` ADD `deliver_to` text;
--> statement-breakpoint
UPDATE `finance_invoices` SET `buyer` = json_set(`buyer`, '$.register_number', NULL) WHERE `buyer` IS NOT NULL;
--> statement-breakpoint
UPDATE `finance_invoices` SET `vat` = (
  SELECT json_group_array(json_set(`ordered`.`value`, '$.vat_reason_code', NULL))
  FROM (SELECT `value` FROM json_each(`finance_invoices`.`vat`) ORDER BY `key`) AS `ordered`
);
