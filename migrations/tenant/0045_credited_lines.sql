DROP INDEX `finance_charges_reverses`;
--> statement-breakpoint
DROP INDEX `finance_charges_once`;
--> statement-breakpoint
CREATE INDEX `finance_charges_reverses` ON `finance_charges` (`reverses_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `finance_charges_once` ON `finance_charges` (`flight_id`,`kind`) WHERE flight_id is not null and reverses_id is null and status = 'open';
--> statement-breakpoint
-- The line of a reversal names the line of the charge that it takes back.
UPDATE `finance_invoice_lines` SET `credits_line_id` = credited.line FROM (
	SELECT credit.id AS id, line.id AS line FROM `finance_invoice_lines` AS credit
	JOIN `finance_charges` AS back ON back.id = credit.charge_id
	JOIN `finance_charges` AS taken ON taken.id = back.reverses_id
	JOIN `finance_invoice_lines` AS line ON line.charge_id = taken.id AND line.invoice_id = taken.invoice_id
	WHERE credit.credits_line_id IS NULL AND line.invoice_id <> credit.invoice_id
) AS credited WHERE credited.id = `finance_invoice_lines`.`id`;
--> statement-breakpoint
-- A charge on a draft that was taken back cancels out with its reversal: neither is on a draft.
CREATE TEMP TABLE `offsetting` AS
	SELECT taken.id AS taken, back.id AS back FROM `finance_charges` AS taken
	JOIN `finance_invoices` AS draft ON draft.id = taken.invoice_id AND draft.status = 'draft'
	JOIN `finance_charges` AS back ON back.reverses_id = taken.id
	LEFT JOIN `finance_invoices` AS other ON other.id = back.invoice_id
	WHERE taken.status = 'invoiced' AND (back.status = 'open' OR other.status = 'draft');
--> statement-breakpoint
DELETE FROM `finance_invoice_lines` WHERE `charge_id` IN (SELECT taken FROM `offsetting` UNION ALL SELECT back FROM `offsetting`)
	AND `invoice_id` IN (SELECT `id` FROM `finance_invoices` WHERE `status` = 'draft');
--> statement-breakpoint
UPDATE `finance_charges` SET `status` = 'offset', `invoice_id` = NULL
	WHERE `id` IN (SELECT taken FROM `offsetting` UNION ALL SELECT back FROM `offsetting`);
--> statement-breakpoint
DROP TABLE `offsetting`;
--> statement-breakpoint
UPDATE `finance_invoices` SET `net_minor` = sums.net_minor, `vat_minor` = sums.vat_minor,
	`gross_minor` = sums.net_minor + sums.vat_minor, `vat` = sums.vat FROM (
	SELECT draft, ifnull(sum(net_minor), 0) AS net_minor, ifnull(sum(vat_minor), 0) AS vat_minor,
		json_group_array(json_object(
			'vat_category', vat_category, 'vat_rate', printf('%d.%02d', vat_rate / 100, vat_rate % 100), 'vat_reason', vat_reason,
			'net_minor', net_minor, 'vat_minor', vat_minor)) FILTER (WHERE vat_category IS NOT NULL) AS vat
	FROM (
		SELECT draft.id AS draft, line.vat_category, line.vat_rate, line.vat_reason, sum(line.net_minor) AS net_minor,
			iif(sum(line.net_minor) < 0, -1, 1) * ((2 * abs(sum(line.net_minor)) * line.vat_rate + 10000) / 20000) AS vat_minor
		FROM `finance_invoices` AS draft LEFT JOIN `finance_invoice_lines` AS line ON line.invoice_id = draft.id
		WHERE draft.status = 'draft'
		GROUP BY draft.id, line.vat_category, line.vat_rate, line.vat_reason
		ORDER BY draft.id, line.vat_rate DESC
	) GROUP BY draft
) AS sums WHERE sums.draft = `finance_invoices`.`id`;
--> statement-breakpoint
UPDATE `finance_invoice_lines` SET `vat_minor` = share.vat_minor FROM (
	SELECT id, iif(total < 0, -1, 1) * ((2 * abs(total) * vat_rate + 10000) / 20000)
		- iif(before < 0, -1, 1) * ((2 * abs(before) * vat_rate + 10000) / 20000) AS vat_minor
	FROM (
		SELECT id, vat_rate, total, total - net_minor AS before FROM (
			SELECT line.id, line.vat_rate, line.net_minor, sum(line.net_minor) OVER (
				PARTITION BY line.invoice_id, line.vat_category, line.vat_rate, line.vat_reason ORDER BY line.position
			) AS total
			FROM `finance_invoice_lines` AS line JOIN `finance_invoices` AS draft ON draft.id = line.invoice_id
			WHERE draft.status = 'draft'
		)
	)
) AS share WHERE share.id = `finance_invoice_lines`.`id`;
