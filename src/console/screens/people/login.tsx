/** The account with which a person signs in. */
import { useSignal } from "@preact/signals";
import type { Person } from "../../api/operations.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Loaded, Section } from "../../ui/section.tsx";
import { InviteStudent } from "../settings/invite-student.tsx";

export function Login({ person }: { person: Person }) {
  const { roles: roleNames, person: words, people, settings } = text();
  const { user_id, email: known } = person;
  const isInviting = useSignal(false);
  const member = useResource(user_id === null ? undefined : "GET /orgs/{orgId}/members/{userId}", {
    path: { userId: user_id ?? "" },
  });
  return (
    <Section title={words.login}>
      {user_id === null ? (
        <>
          <p class="quiet">{words.noLogin}</p>
          {person.types.includes("student") && may("members:manage") && (
            <div>
              <Button
                onClick={() => {
                  isInviting.value = true;
                }}
              >
                {settings.invite}
              </Button>
            </div>
          )}
          {isInviting.value && (
            <InviteStudent
              of={person}
              onClose={() => {
                isInviting.value = false;
              }}
            />
          )}
        </>
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
