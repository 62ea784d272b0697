// Written by scripts/generate-migrations.ts: every migration in order, embedded by import.
import m0 from "./0000_first.sql" with { type: "text" };
import m1 from "./0001_list_indexes.sql" with { type: "text" };
import m2 from "./0002_tenant_time_zone.sql" with { type: "text" };
import m3 from "./0003_used_keys_without_user.sql" with { type: "text" };
import m4 from "./0004_used_keys_permissions.sql" with { type: "text" };
import m5 from "./0005_former_links.sql" with { type: "text" };
import m6 from "./0006_change_order.sql" with { type: "text" };
import m7 from "./0007_repeated_location.sql" with { type: "text" };
import m8 from "./0008_compliance.sql" with { type: "text" };
import m9 from "./0009_flyers_off_block.sql" with { type: "text" };
import m10 from "./0010_medical_notices.sql" with { type: "text" };
import m11 from "./0011_compliance_requirements.sql" with { type: "text" };
import m12 from "./0012_people_records.sql" with { type: "text" };
import m13 from "./0013_people_by_licence.sql" with { type: "text" };
import m14 from "./0014_maintenance.sql" with { type: "text" };
import m15 from "./0015_flight_particulars.sql" with { type: "text" };
import m16 from "./0016_imported_flights.sql" with { type: "text" };
import m17 from "./0017_person_erasure.sql" with { type: "text" };
import m18 from "./0018_attachments.sql" with { type: "text" };
import m19 from "./0019_clearance.sql" with { type: "text" };
import m20 from "./0020_mails.sql" with { type: "text" };
import m21 from "./0021_logbooks.sql" with { type: "text" };
import m22 from "./0022_expiry_required.sql" with { type: "text" };
import m23 from "./0023_training.sql" with { type: "text" };
import m24 from "./0024_frozen_revisions.sql" with { type: "text" };
import m25 from "./0025_evidence_and_sharing.sql" with { type: "text" };
import m26 from "./0026_planning.sql" with { type: "text" };
import m27 from "./0027_training_signed_by_instructor.sql" with { type: "text" };
import m28 from "./0028_evidence_content.sql" with { type: "text" };
import m29 from "./0029_planning_offers.sql" with { type: "text" };
import m30 from "./0030_finance.sql" with { type: "text" };
import m31 from "./0031_finance_invoices.sql" with { type: "text" };
import m32 from "./0032_directory.sql" with { type: "text" };
import m33 from "./0033_intents_org.sql" with { type: "text" };
import m34 from "./0034_finance_accounts.sql" with { type: "text" };
import m35 from "./0035_rate_kind_program.sql" with { type: "text" };
import m36 from "./0036_chunk_digests.sql" with { type: "text" };
import m37 from "./0037_who_linked_an_account.sql" with { type: "text" };
import m38 from "./0038_vat_once.sql" with { type: "text" };
import m39 from "./0039_quantities.sql" with { type: "text" };
import m40 from "./0040_mirrors.sql" with { type: "text" };
import m41 from "./0041_seller_identification.sql" with { type: "text" };
import m42 from "./0042_training_classes_and_milestones.sql" with { type: "text" };
import m43 from "./0043_readings_of_the_day.sql" with { type: "text" };
import m44 from "./0044_levels_methods_night.sql" with { type: "text" };
import m45 from "./0045_credited_lines.sql" with { type: "text" };
import m46 from "./0046_invoice_documents.sql" with { type: "text" };
import m47 from "./0047_public_buyers.sql" with { type: "text" };
import m48 from "./0048_invoice_cancellations.sql" with { type: "text" };
import m49 from "./0049_crew_landings.sql" with { type: "text" };
import m50 from "./0050_multi_pilot_aircraft.sql" with { type: "text" };
import m51 from "./0051_document_languages.sql" with { type: "text" };
import m52 from "./0052_vat_categories.sql" with { type: "text" };
import m53 from "./0053_own_flights.sql" with { type: "text" };
import m54 from "./0054_package_returns.sql" with { type: "text" };
import m55 from "./0055_sessions_of_flights.sql" with { type: "text" };
import m56 from "./0056_releases_have_moments.sql" with { type: "text" };
import m57 from "./0057_discounts.sql" with { type: "text" };
import m58 from "./0058_deferrals_count_flights.sql" with { type: "text" };
import m59 from "./0059_vat_in_national_currency.sql" with { type: "text" };
import m60 from "./0060_fewer_indexes.sql" with { type: "text" };

export const tenantMigrations: readonly string[] = [
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
  m19,
  m20,
  m21,
  m22,
  m23,
  m24,
  m25,
  m26,
  m27,
  m28,
  m29,
  m30,
  m31,
  m32,
  m33,
  m34,
  m35,
  m36,
  m37,
  m38,
  m39,
  m40,
  m41,
  m42,
  m43,
  m44,
  m45,
  m46,
  m47,
  m48,
  m49,
  m50,
  m51,
  m52,
  m53,
  m54,
  m55,
  m56,
  m57,
  m58,
  m59,
  m60,
];
