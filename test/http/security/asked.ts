import { spyOn } from "bun:test";
import type { Permission } from "../../../src/core/permissions.ts";
import { permissionsOf, roles } from "../../../src/identity/roles.ts";

/**
 * The permissions of which a request asks whether the caller, who has one role, holds them, until it is refused. Two that the same
 * roles hold can't be told apart by calling as members.
 *
 * @param held how many of the first questions are answered with yes; all others with no
 */
export async function asked(request: () => Promise<{ status: number }>, held = 0): Promise<Permission[]> {
  const asks: Permission[] = [];
  const spies = roles.map((role) =>
    spyOn(permissionsOf([role]), "has").mockImplementation((permission) => asks.push(permission) <= held),
  );
  try {
    const { status } = await request();
    if (status !== 403) throw new Error(`It answers ${status} to a caller who does not hold what it demands.`);
    return asks.slice(held);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
