-- A tenant's file that is migrated has UTC. These intents carry the organization's time zone into it at this start.
INSERT INTO `intents` (`id`, `kind`, `org_id`, `payload`, `created_at`)
SELECT
	lower(hex(randomblob(16))),
	'organization.updated',
	`id`,
	json_object('name', `name`, 'time_zone', `time_zone`, 'requestId', ''),
	strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
FROM `organizations`
WHERE `time_zone` <> 'UTC';
