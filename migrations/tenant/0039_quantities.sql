ALTER TABLE `finance_packages` RENAME COLUMN `minutes` TO `quantity`;
--> statement-breakpoint
-- Quantities are decimal strings, also those of parts.
UPDATE `work_orders` SET `parts` = (
	SELECT json_group_array(json_set(part.value, '$.quantity', printf('%d.00', part.value ->> '$.quantity')))
	FROM json_each(`work_orders`.`parts`) AS part
) WHERE `parts` <> '[]';
