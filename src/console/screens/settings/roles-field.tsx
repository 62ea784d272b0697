import type { Signal } from "@preact/signals";
import type { NewInvite } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { organization } from "../../app/session.ts";

export type Role = NewInvite["roles"][number];

/** From the one who may the least to the one who may everything. */
const all: readonly Role[] = ["student", "instructor", "mechanic", "accountant", "admin", "owner"];

/** What an account may do here: one role or several. Only owners make owners. */
export function RolesField({ value, held = [] }: { value: Signal<readonly Role[]>; held?: readonly Role[] }) {
  const { settings: words, roles: names } = text();
  const isOwner = organization.value?.roles.includes("owner") === true;
  const offered = all.filter((role) => role !== "owner" || isOwner || held.includes("owner"));
  return (
    <fieldset class="field">
      <legend class="label">{words.roles}</legend>
      {offered.map((role) => (
        <label key={role} class="check">
          <input
            type="checkbox"
            name="roles"
            checked={value.value.includes(role)}
            onChange={({ currentTarget }) => {
              const others = value.value.filter((one) => one !== role);
              value.value = currentTarget.checked ? [...others, role] : others;
            }}
          />
          <span>
            {names[role]} <span class="hint">{words.roleHints[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
