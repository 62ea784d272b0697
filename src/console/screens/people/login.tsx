/** The account with which a person signs in. */
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
import { Invitation } from "./invitation.tsx";

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

function WithoutAccount({ person, save }: LoginProps) {
  const { person: words } = text();
  const links = may("people:manage") && person.email !== null && person.status === "active";
  const members = useResource(links ? "GET /orgs/{orgId}/members" : undefined, { query: { limit: 500 } });
  const joined = members.data?.data.find(({ email }) => email === person.email?.toLowerCase());
  if (!joined) return <Invitation person={person} />;
  return (
    <>
      <p class="quiet">{words.hasJoined(joined.name)}</p>
      <Link {...{ person, save, joined }} />
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
