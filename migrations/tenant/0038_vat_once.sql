-- The VAT of drafts is rounded once for each category, rate and reason, and shared between their lines. What was sent stays as it is.
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
--> statement-breakpoint
UPDATE `finance_invoices` SET `vat_minor` = sums.vat_minor, `gross_minor` = `net_minor` + sums.vat_minor, `vat` = sums.vat FROM (
	SELECT invoice_id, sum(vat_minor) AS vat_minor, json_group_array(json_object(
		'vat_category', vat_category, 'vat_rate', printf('%d.%02d', vat_rate / 100, vat_rate % 100), 'vat_reason', vat_reason,
		'net_minor', net_minor, 'vat_minor', vat_minor)) AS vat
	FROM (
		SELECT line.invoice_id, line.vat_category, line.vat_rate, line.vat_reason,
			sum(line.net_minor) AS net_minor, sum(line.vat_minor) AS vat_minor
		FROM `finance_invoice_lines` AS line JOIN `finance_invoices` AS draft ON draft.id = line.invoice_id
		WHERE draft.status = 'draft'
		GROUP BY line.invoice_id, line.vat_category, line.vat_rate, line.vat_reason
		ORDER BY line.invoice_id, line.vat_rate DESC
	) GROUP BY invoice_id
) AS sums WHERE sums.invoice_id = `finance_invoices`.`id`;
