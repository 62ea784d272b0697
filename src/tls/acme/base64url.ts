import { createHash } from "node:crypto";

export const base64url = (data: string | Buffer): string => Buffer.from(data).toString("base64url");

export const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");
