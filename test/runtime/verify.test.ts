/** `windsock verify` as the receiver of a pack uses it: with the file and the key. */
import { afterEach, expect, test } from "bun:test";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contentOf, issue, jsonIn, ofPilot } from "../http/evidence/packing.ts";
import { newSchool } from "../support/school.ts";
import { endProcesses, newFolder, run } from "./processes.ts";
import { denoFromSource, isLinuxX64 } from "./runtimes.ts";

afterEach(endProcesses);

test("`windsock verify` checks a pack with nothing but the public key", async () => {
  const school = await newSchool();
  const { owner, installation, orgId } = school;
  const pack = await issue(owner, ofPilot(owner.personId));
  const zip = await contentOf(school, owner, pack.id);
  const { key, issuer } = jsonIn(zip, "manifest.json");
  const keys = await installation.call("GET", `/public/orgs/${orgId}/keys`);
  const stranger = await newSchool();
  await issue(stranger.owner, ofPilot(stranger.owner.personId));
  const others = await installation.call("GET", `/public/orgs/${stranger.orgId}/keys`);

  const folder = await newFolder();
  const at = (name: string) => join(folder, name);
  await writeFile(at("pack.zip"), zip);
  await writeFile(at("keys.json"), keys.text);
  await writeFile(at("key.pem"), keys.body.data[0].public_key);
  await writeFile(at("others.json"), others.text);
  const changed = Buffer.from(zip);
  changed[700] = (changed[700] ?? 0) ^ 1;
  await writeFile(at("changed.zip"), changed);
  const verify = (...args: string[]) => run(["verify", ...args], {});

  for (const given of [at("keys.json"), at("key.pem"), key.thumbprint]) {
    const { code, stdout, stderr } = await verify(at("pack.zip"), `--key=${given}`);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Unchanged since it was signed.\n");
    expect(stdout).toContain(`Issuer:  ${issuer.name}, ${orgId}\n`);
    expect(stdout).toContain(`SHA-256: ${pack.sha256}\n`);
    expect(stdout).toContain(`Key:     ${key.thumbprint}, as given\n`);
  }
  const unchecked = await verify(at("pack.zip"));
  expect([unchecked.code, unchecked.stderr]).toEqual([2, ""]);
  expect(unchecked.stdout).toContain("The issuer is NOT checked");
  expect((await verify("--help")).stdout).toContain("the exit status is 2");
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await verify(...args);
    expect([code, stdout]).toEqual([1, ""]);
    return stderr.replaceAll(folder, "");
  };
  const other = "It was signed with another key than the given one, or after that one was retired.\n";
  expect(await refused(at("pack.zip"), "--key", at("others.json"))).toBe(`/pack.zip is NOT valid: ${other}`);
  expect(await refused(at("changed.zip"))).toContain("/changed.zip is NOT valid: ");
  expect(await refused(at("none.zip"))).toContain("/none.zip can't be read: ");
  expect(await refused(at("pack.zip"), "--key", at("pack.zip"))).toContain("--key: It must be a public key");
  if (!isLinuxX64) return;
  // Deno reads files below /dev, where the tests have their folders, with all permissions only.
  await using temporary = await mkdtempDisposable("/tmp/windsock-verify-");
  await writeFile(join(temporary.path, "pack.zip"), zip);
  const onDeno = await run(["verify", join(temporary.path, "pack.zip"), `--key=${key.thumbprint}`], {
    runtime: denoFromSource,
  });
  expect([onDeno.stderr, onDeno.code, onDeno.stdout]).toEqual([
    "",
    0,
    (await verify(at("pack.zip"), `--key=${key.thumbprint}`)).stdout,
  ]);
}, 300_000);
