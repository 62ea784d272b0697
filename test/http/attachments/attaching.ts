/** Requests of the tests of attachments. */
import { sql } from "drizzle-orm";
import type { Answer, Call, SharedInstallation } from "../../support/installation.ts";
import { expectStatus, type Member, pdf, type School } from "../../support/school.ts";

export const sepOf = (person_id: string) => ({
  person_id,
  type: "sep",
  issued_on: "2025-01-15",
  valid_until: "2027-01-31",
});

/** Adds a record of the student. @returns the path of its attachments, below the organization */
export async function recordOf({ owner, student }: Pick<School, "owner" | "student">): Promise<string> {
  const { id } = expectStatus(201, await owner.post("/compliance/records", sepOf(student.personId))).body.data;
  return `/compliance/records/${id}/attachments`;
}

/** Reports a defect of the aircraft. @returns the path of its attachments, and that of its work order's */
export async function defectOf({ owner, aircraftId }: Pick<School, "owner" | "aircraftId">) {
  const reported = await owner.post(`/aircraft/${aircraftId}/defects`, { description: "Left brake drags." });
  const { id, work_order_id } = expectStatus(201, reported).body.data;
  return {
    defect: `/aircraft/${aircraftId}/defects/${id}/attachments`,
    workOrder: `/maintenance/work-orders/${work_order_id}/attachments`,
  };
}

export interface Sent extends Pick<Call, "headers"> {
  filename?: string;
  body?: Call["body"];
}

/** Uploads a file, by default a small PDF. */
export const upload = (
  by: Member,
  path: string,
  { filename = "scan.pdf", body = pdf(), headers }: Sent = {},
): Promise<Answer> =>
  by.call("POST", `/orgs/${by.orgId}${path}?filename=${encodeURIComponent(filename)}`, {
    body,
    ...(headers && { headers }),
  });

/** @returns the attachment */
// biome-ignore lint/suspicious/noExplicitAny: see Answer
export const attach = async (by: Member, path: string, sent?: Sent): Promise<any> =>
  expectStatus(201, await upload(by, path, sent)).body.data;

/** Downloads a file, with its bytes. */
export async function download(installation: Pick<SharedInstallation, "app">, by: Member, path: string) {
  const request = new Request(`http://localhost/orgs/${by.orgId}${path}/content`, {
    headers: { authorization: `Bearer ${by.token}` },
  });
  const response = await installation.app.handle(request);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Sends a body that a test feeds. */
export function feed(installation: Pick<SharedInstallation, "app">, by: Member, path: string, headers = {}) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const asked = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      pull: () => asked.resolve(),
      cancel: () => {
        controller = undefined;
        cancelled.resolve();
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request(`http://localhost/orgs/${by.orgId}${path}?filename=scan.pdf`, {
    method: "POST",
    headers: { authorization: `Bearer ${by.token}`, "content-type": "application/pdf", ...headers },
    body,
  });
  return {
    /** Resolves when the server reads the body. */
    asked: asked.promise,
    /** Resolves when the server gives the body up. */
    cancelled: cancelled.promise,
    answer: installation.app.handle(request),
    send: (bytes: Uint8Array) => controller?.enqueue(bytes),
    end: () => controller?.close(),
    abort: () => controller?.error(new Error("The connection was closed.")),
  };
}

export const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer());

/** The rows of a school's file that hold uploads and their bytes. */
export async function storedIn({ installation, orgId }: Pick<School, "installation" | "orgId">) {
  return installation.storage.tenants.tenant(orgId as never).read(async (reader) => {
    const [row] = await reader.values<number[]>(
      sql`select
        (select count(*) from attachments), (select count(*) from attachment_uploads),
        (select coalesce(sum(length(data)), 0) from attachment_chunks),
        (select coalesce(sum(bytes), 0) from attachment_usage)`,
    );
    const [attachments, uploads, content, usage] = row ?? [];
    return { attachments, uploads, content, usage };
  });
}
