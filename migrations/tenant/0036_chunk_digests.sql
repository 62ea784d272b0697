ALTER TABLE `attachments` ADD `chunk_digests` blob;
--> statement-breakpoint
ALTER TABLE `evidence_parts` ADD `chunk_digests` blob;