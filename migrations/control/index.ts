// Written by scripts/generate-migrations.ts: every migration in order, embedded by import.
import m0 from "./0000_first.sql" with { type: "text" };
import m1 from "./0001_list_indexes.sql" with { type: "text" };
import m2 from "./0002_tenant_time_zone.sql" with { type: "text" };
import m3 from "./0003_used_keys_without_user.sql" with { type: "text" };
import m4 from "./0004_used_keys_permissions.sql" with { type: "text" };
import m5 from "./0005_tenant_file_note.sql" with { type: "text" };
import m6 from "./0006_repeated_location.sql" with { type: "text" };
import m7 from "./0007_tenant_schema_version.sql" with { type: "text" };
import m8 from "./0008_marketplace_and_addons.sql" with { type: "text" };
import m9 from "./0009_invites_of_people.sql" with { type: "text" };
import m10 from "./0010_directory.sql" with { type: "text" };
import m11 from "./0011_intents_org.sql" with { type: "text" };
import m12 from "./0012_moderation_list_and_listing_revision.sql" with { type: "text" };
import m13 from "./0013_directory_rowids.sql" with { type: "text" };
import m14 from "./0014_who_linked_an_account.sql" with { type: "text" };
import m15 from "./0015_scrubs.sql" with { type: "text" };
import m16 from "./0016_tenant_marks_time.sql" with { type: "text" };
import m17 from "./0017_invites_by_address.sql" with { type: "text" };
import m18 from "./0018_fewer_indexes.sql" with { type: "text" };

export const controlMigrations: readonly string[] = [
  m0,
  m1,
  m2,
  m3,
  m4,
  m5,
  m6,
  m7,
  m8,
  m9,
  m10,
  m11,
  m12,
  m13,
  m14,
  m15,
  m16,
  m17,
  m18,
];
