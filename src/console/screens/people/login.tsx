/** The account with which a person signs in. */
import type { Person } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { Facts } from "../../ui/facts.tsx";
import { Loaded, Section } from "../../ui/section.tsx";

export function Login({ person: { user_id, email: known } }: { person: Person }) {
  const { roles: roleNames, person: words, people } = text();
  const member = useResource(user_id === null ? undefined : "GET /orgs/{orgId}/members/{userId}", {
    path: { userId: user_id ?? "" },
  });
  return (
    <Section title={words.login}>
      {user_id === null ? (
        <p class="quiet">{words.noLogin}</p>
      ) : (
        <Loaded resource={member} lines={2}>
          {({ data: { email, roles } }) => (
            <Facts
              facts={[
                { label: people.email, value: email !== known && email },
                { label: words.role, value: roles.map((role) => roleNames[role]).join(", ") },
              ]}
            />
          )}
        </Loaded>
      )}
    </Section>
  );
}
