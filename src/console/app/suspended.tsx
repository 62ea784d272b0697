/** In the place of each screen of a school that the operator has suspended. The account, and other schools, can be used. */
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/states.tsx";
import { formatDate } from "./format.ts";
import { text } from "./language.ts";
import { go } from "./router.ts";
import { chooseOrganization, me, organization, reloadMe } from "./session.ts";

export function Suspended() {
  const { suspended, actions } = text();
  const school = organization.value;
  if (!school) return null;
  const others = me.value?.organizations.filter(({ suspended_at }) => suspended_at === null) ?? [];
  return (
    <>
      <h1 class="visually-hidden">{school.name}</h1>
      <Empty
        title={suspended.title(school.name)}
        action={
          <div class="form-actions">
            {others.map(({ id, name }) => (
              <Button
                key={id}
                onClick={() => {
                  chooseOrganization(id);
                  go("/app");
                }}
              >
                {suspended.other(name)}
              </Button>
            ))}
            <Button kind="plain" onClick={reloadMe}>
              {actions.retry}
            </Button>
          </div>
        }
      >
        {suspended.text} {school.removal_at !== null && suspended.removal(formatDate(school.removal_at))}
      </Empty>
    </>
  );
}
