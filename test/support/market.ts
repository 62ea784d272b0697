/** Opportunities, applications and add-on listings for tests, and the accounts that use them. */
import { grantPlatformPermission } from "../../src/modules/accounts/operator/grant-platform-permission.ts";
import type { Installation, SharedInstallation } from "./installation.ts";
import { expectStatus, type Member, password } from "./school.ts";

let count = 0;

export interface Account {
  email: string;
  token: string;
}

/** Signs up an account without an organization. */
export async function newAccount(installation: SharedInstallation, name = "Vera Visitor"): Promise<Account> {
  count += 1;
  const email = `account${count}@market.example`;
  const from = `198.20.${count >> 8}.${count & 255}`;
  const answer = await installation.call("POST", "/auth/signup", { body: { email, password, name }, from });
  return { email, token: expectStatus(201, answer).body.data.tokens.access_token };
}

/** Makes an account a platform admin who reviews listings. */
export async function makeReviewer({ storage, clock }: Installation, email: string): Promise<void> {
  const context = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;
  await grantPlatformPermission(context, {
    email,
    permission: "platform_admin.listing:review",
    evenUnverified: true,
  });
}

/** Signs up a platform admin who reviews listings, and is a member of no organization. */
export async function newReviewer(installation: Installation): Promise<Account> {
  const account = await newAccount(installation, "Rita Reviewer");
  await makeReviewer(installation, account.email);
  return account;
}

export const opportunityBody = {
  kind: "job",
  title: "Flight instructor FI(A)",
  description: "For the season.",
  country: "DE",
  place: "EDFE",
  expires_on: "2097-03-01",
};

export async function newOpportunity(owner: Member, change: object = {}): Promise<string> {
  return expectStatus(201, await owner.post("/opportunities", { ...opportunityBody, ...change })).body.data.id;
}

export async function publishedOpportunity(owner: Member, change: object = {}): Promise<string> {
  const id = await newOpportunity(owner, change);
  expectStatus(200, await owner.post(`/opportunities/${id}/publish`));
  return id;
}

export const applyFor = (installation: SharedInstallation, id: string, { token }: Pick<Account, "token">) =>
  installation.call("POST", `/opportunities/${id}/applications`, { token, body: { message: "I would like to." } });

/** Applies for a new opportunity of the school. @returns the application */
export async function newApplication(
  { installation, owner }: { installation: SharedInstallation; owner: Member },
  applicant?: Pick<Account, "token">,
): Promise<string> {
  const by = applicant ?? (await newAccount(installation));
  return expectStatus(201, await applyFor(installation, await publishedOpportunity(owner), by)).body.data.id;
}

export const listingBody = () => ({
  name: "Flight costs",
  slug: `flight-costs-${++count}`,
  summary: "Books approved flights.",
  description: "Reads approved flights and posts their costs.",
  category: "accounting",
  homepage_url: "https://addons.example.com/flight-costs",
  support_email: "help@addons.example.com",
  event_types: ["flight.approved"],
  scopes: ["public.flights:read"],
});

/** @returns the listing */
export const newListing = async (owner: Member, change: object = {}): Promise<{ id: string; slug: string }> =>
  expectStatus(201, await owner.post("/addon-listings", { ...listingBody(), ...change })).body.data;

export async function submittedListing(owner: Member, change: object = {}): Promise<{ id: string; slug: string }> {
  const { id } = await newListing(owner, change);
  return expectStatus(200, await owner.post(`/addon-listings/${id}/submit`)).body.data;
}

export async function approvedListing(
  { installation, owner }: { installation: Installation; owner: Member },
  change: object = {},
): Promise<{ id: string; slug: string }> {
  const { id } = await submittedListing(owner, change);
  const { token } = await newReviewer(installation);
  return expectStatus(200, await installation.call("POST", `/admin/addon-listings/${id}/approve`, { token })).body;
}
