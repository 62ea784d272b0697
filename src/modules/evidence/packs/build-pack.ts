/** Builds packs, one at a time in the process: so the memory and the time of many are those of one. Organizations take turns. */
import { createHash } from "node:crypto";
import { type Clock, toInstant } from "../../../core/clock.ts";
import { newToken, sha256 } from "../../../core/crypto.ts";
import { Problem } from "../../../core/errors.ts";
import type { EnrollmentId, OrgId } from "../../../core/ids.ts";
import type { Language } from "../../../core/languages.ts";
import { RoundRobin } from "../../../core/round-robin.ts";
import type { JobServices } from "../../../module.ts";
import { jobContext } from "../../../scheduler/job.ts";
import type { TenantContext } from "../../../storage/context.ts";
import type { Lease } from "../../../storage/leases.ts";
import type { Tenant } from "../../../storage/store.ts";
import { findOrganization } from "../../organizations/organizations.queries.ts";
import type { Organization } from "../../organizations/organizations.shapes.ts";
import { filePages } from "../../training/file/pdf/file-pdf.ts";
import { readTrainingFile } from "../../training/file/read-file.queries.ts";
import type { PackId } from "../evidence.tables.ts";
import { bytesOf, type Manifest, type Part, signatureOf } from "../format/manifest.ts";
import { thumbprintOf } from "../format/public-key.ts";
import { fileBytes } from "../format/zip.ts";
import { signingKey } from "../keys/signing-key.ts";
import { auditSections } from "../pdf/audit-sections.ts";
import { packPdf } from "../pdf/pack-pdf.ts";
import type { Section } from "../pdf/sections.ts";
import { buildJobName } from "./build-job.ts";
import { complianceContents } from "./compliance-contents.ts";
import type { Contents } from "./contents.ts";
import { type Built, failPack, issuePack } from "./issue-pack.ts";
import { entriesOf, fileOf } from "./pack-file.ts";
import { packLanguage } from "./pack-language.ts";
import { findPackRow, type PackRow, supersededBy } from "./packs.queries.ts";
import { type Content, discardParts, type PartRow, writePart } from "./parts.ts";
import { pilotContents } from "./pilot-contents.ts";
import { readAudit } from "./read-audit.ts";
import { stateNow } from "./snapshot.queries.ts";
import { trainingFiles } from "./training-files.ts";

export type BuildServices = Pick<
  JobServices,
  "control" | "clock" | "log" | "publicUrl" | "attachmentQuota" | "stopping" | "leases"
>;

/** While records are changed, their pack is built again, so often in all. */
const mostAttempts = 3;

interface Waiting {
  services: BuildServices;
  tenant: Tenant;
  packId: PackId;
  ended: PromiseWithResolvers<boolean>;
}

const waiting = new RoundRobin<OrgId, Waiting>(({ tenant }) => tenant.id);
let isBuilding = false;

/** Builds a pack, if it still waits for that and the server does not stop. @returns whether it was built, or has failed */
export function buildPack(services: BuildServices, tenant: Tenant, packId: PackId): Promise<boolean> {
  const ended = Promise.withResolvers<boolean>();
  waiting.add({ services, tenant, packId, ended });
  if (!isBuilding) void buildAll();
  return ended.promise;
}

async function buildAll(): Promise<void> {
  isBuilding = true;
  for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
    const { services, tenant, packId, ended } = next;
    await buildHere(services, tenant, packId).then(ended.resolve, ended.reject);
  }
  isBuilding = false;
}

/** Unless another process builds it. */
async function buildHere(services: BuildServices, tenant: Tenant, id: PackId): Promise<boolean> {
  const lease = await services.leases.take(`evidence pack ${id}`);
  if (lease === undefined) return false;
  try {
    return await build(services, { tenant, id, lease });
  } finally {
    await lease.release();
  }
}

async function build(
  services: BuildServices,
  { tenant, id, lease }: { tenant: Tenant; id: PackId; lease: Lease },
): Promise<boolean> {
  const context = { ...jobContext(buildJobName, services), tenant };
  const pack = await tenant.read((reader) => findPackRow(reader, id));
  if (pack?.status !== "generating" || services.stopping.aborted) return false;
  try {
    await issue(context, { services, pack, lease });
  } catch (error) {
    // The next start continues, or another process has begun anew: its parts are not ours to remove.
    if (services.stopping.aborted || !(await lease.isHeld())) return false;
    // The file can't be used now: the next run of the job tries again.
    if (error instanceof Problem && error.code === "TENANT_UNAVAILABLE") throw error;
    if (!(error instanceof Problem))
      services.log.error({ organization_id: tenant.id, pack_id: id, err: error }, "An evidence pack failed.");
    await discardParts(tenant, id);
    await failPack(context, id, error);
  }
  return true;
}

interface Issuing {
  services: BuildServices;
  pack: PackRow;
  lease: Lease;
}

async function issue(context: TenantContext, issuing: Issuing, attempt = 1): Promise<void> {
  const { services, pack, lease } = issuing;
  await discardParts(context.tenant, pack.id);
  try {
    await issuePack(context, await assemble(context, services, pack));
  } catch (error) {
    const isChanged = error instanceof Problem && error.reason === "changed_meanwhile";
    if (!isChanged || attempt === mostAttempts || !(await lease.isHeld())) throw error;
    await issue(context, issuing, attempt + 1);
  }
}

function contentsOf(
  tenant: Tenant,
  { person_id, as_of }: PackRow,
  { organization, clock }: { organization: Organization; clock: Clock },
): Promise<Contents> {
  if (person_id !== null) return pilotContents(tenant, person_id, clock);
  if (as_of !== null) return complianceContents(tenant, organization, { date: as_of, now: clock.now() });
  throw new Error("The pack has no subject.");
}

/** What its PDF has after the first page. */
async function sectionsOf(
  tenant: Tenant,
  { id, person_id, as_of }: PackRow,
  { school, now, language }: { school: Organization; now: Date; language: Language },
): Promise<Section[]> {
  if (person_id !== null)
    return (await trainingFiles(tenant, { student: person_id, school, now })).map((file) => ({
      key: file.enrollment.id,
      title: file.program.name,
      pages: (document) => filePages(document, file, language),
    }));
  if (as_of === null) return [];
  const fileOf = (enrollmentId: EnrollmentId) =>
    readTrainingFile(tenant, { enrollmentId, school, now, withRecords: true });
  return auditSections({ audit: await readAudit(tenant, { date: as_of, now }), school, id, language, fileOf });
}

const partOf = ({ name, media_type, bytes, sha256 }: PartRow): Part => ({ name, media_type, bytes, sha256 });

async function assemble(
  context: TenantContext,
  { publicUrl, attachmentQuota: quota, clock, stopping }: BuildServices,
  pack: PackRow,
): Promise<Built> {
  const { tenant, control } = context;
  const state = await tenant.read(stateNow);
  const key = await signingKey(context);
  const issuer = (await control.read((reader) => findOrganization(reader, tenant.id))).value;
  const contents = await contentsOf(tenant, pack, { organization: issuer, clock });
  const parts: PartRow[] = [];
  const write = async (content: Content) =>
    void parts.push(await writePart({ tenant, stopping }, { pack_id: pack.id, position: parts.length }, content));
  for await (const content of contents.parts()) await write(content);
  const summary = contents.summary();
  const token = newToken();
  const stated = {
    id: pack.id,
    type: pack.type,
    issuer: { id: issuer.id, name: issuer.name, keys_url: `${publicUrl}/public/orgs/${issuer.id}/keys` },
    subject: contents.subject,
  };
  const thumbprint = thumbprintOf(key.publicKey);
  const link = `${publicUrl}/public/orgs/${issuer.id}/vtr/${pack.id}/verify?token=${token}`;
  const language = await packLanguage(context, pack);
  const now = clock.now();
  const sections = await sectionsOf(tenant, pack, { school: issuer, now, language });
  const made = { parts: parts.map(partOf), thumbprint, link, language, now, school: issuer, sections };
  const page = packPdf({ ...stated, ...summary, ...made });
  await write({ name: "pack.pdf", media_type: "application/pdf", content: page });
  const [supersedes = null] = await tenant.read((reader) => supersededBy(reader, pack));
  const manifest: Manifest = {
    format: "windsock-evidence-1",
    ...stated,
    period: summary.period,
    issued_at: toInstant(clock.now()),
    supersedes,
    key: { id: key.id, thumbprint, x: key.publicKey },
    parts: parts.map(partOf),
  };
  const bytes = bytesOf(manifest);
  const signature = signatureOf(bytes, key.privateKey);
  const signed = { manifest: bytes, signature, parts };
  const hash = createHash("sha256");
  for await (const piece of fileOf(tenant, signed)) {
    stopping.throwIfAborted();
    hash.update(piece);
  }
  const columns = {
    manifest: bytes.toString(),
    signature: signature.toString("base64"),
    manifest_sha256: sha256(bytes),
    sha256: hash.digest("hex"),
    size_bytes: fileBytes(entriesOf(signed)),
  };
  return { manifest, columns, parts, token, quota, state };
}
