/** The account with which a person signs in. */
import { useSignal } from "@preact/signals";
import type { Member, Person, PersonChange } from "../../api/operations.ts";
import type { Save } from "../../app/change.ts";
import { text } from "../../app/language.ts";
import { may } from "../../app/permissions.ts";
import { useResource } from "../../app/resource.ts";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { failed } from "../../ui/failed.ts";
import { Loaded, Section } from "../../ui/section.tsx";
import { toast } from "../../ui/toast.tsx";
import { InviteMember } from "../settings/invite-member.tsx";
import { InviteStudent } from "../settings/invite-student.tsx";
import type { Role } from "../settings/roles-field.tsx";

interface LoginProps {
  person: Person;
  save: Save<PersonChange>;
}

export function Login({ person, save }: LoginProps) {
  const { roles: roleNames, person: words, people } = text();
  const { user_id, email: known } = person;
  const member = useResource(user_id === null ? undefined : "GET /orgs/{orgId}/members/{userId}", {
    path: { userId: user_id ?? "" },
  });
  return (
    <Section title={words.login}>
      {user_id === null ? (
        <WithoutAccount {...{ person, save }} />
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

/** What an account may do that a person of this function needs. Who rents an aircraft flies, books and pays as a student does. */
const roleOf: Record<Person["types"][number], Role> = {
  student: "student",
  pilot: "student",
  instructor: "instructor",
  mechanic: "mechanic",
  staff: "accountant",
};

function WithoutAccount({ person, save }: LoginProps) {
  const { person: words, settings } = text();
  const isInviting = useSignal(false);
  const invite = (is: boolean) => () => {
    isInviting.value = is;
  };
  const links = may("people:manage") && person.email !== null && person.status === "active";
  const members = useResource(links ? "GET /orgs/{orgId}/members" : undefined, { query: { limit: 500 } });
  const joined = members.data?.data.find(({ email }) => email === person.email?.toLowerCase());
  const isStudent = person.types.includes("student");
  return (
    <>
      <p class="quiet">{joined ? words.hasJoined(joined.name) : words.noLogin}</p>
      {joined && <Link {...{ person, save, joined }} />}
      {!joined && may("members:manage") && person.status === "active" && (
        <div>
          <Button onClick={invite(true)}>{settings.invite}</Button>
        </div>
      )}
      {isInviting.value &&
        (isStudent ? (
          <InviteStudent of={person} onClose={invite(false)} />
        ) : (
          <InviteMember
            of={{ email: person.email, roles: [...new Set(person.types.map((type) => roleOf[type]))] }}
            onClose={invite(false)}
          />
        ))}
    </>
  );
}

/** A member who joined by another invite than that of a student is nobody's account yet. */
function Link({ person, save, joined }: LoginProps & { joined: Member }) {
  const { person: words } = text();
  const link = async () => {
    const fields = { user_id: { label: words.login } };
    await save({ user_id: joined.user_id }, { before: person, fields });
    toast(words.linked(joined.email));
  };
  return (
    <div>
      <Button onClick={() => link().catch(failed)}>{words.link}</Button>
    </div>
  );
}
