/** What a new school does first. It goes away when all is done, or when somebody dismisses it. */
import { useSignal } from "@preact/signals";
import { text } from "../../app/language.ts";
import { useResource } from "../../app/resource.ts";
import { organization } from "../../app/session.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Section } from "../../ui/section.tsx";

const steps = [
  { name: "has_aircraft", href: "/app/aircraft" },
  { name: "has_people", href: "/app/people" },
  { name: "has_flight", href: "/app/flights/new" },
  { name: "has_second_factor", href: "/app/account" },
  { name: "has_webhook", href: "/docs#addWebhookEndpoint" },
] as const;

export function FirstSteps() {
  const { today: words, app } = text();
  const name = `windsock.first-steps.${organization.value?.id}`;
  const isDismissed = useSignal(localStorage.getItem(name) === "dismissed");
  const setup = useResource(isDismissed.value ? undefined : "GET /orgs/{orgId}/setup").data?.data;
  if (isDismissed.value || !setup) return null;
  const open = steps.filter((step) => !setup[step.name]);
  // Second factor and webhooks are for later: alone they hold nobody up.
  if (open.every((step) => step.name === "has_second_factor" || step.name === "has_webhook")) return null;
  const dismiss = () => {
    localStorage.setItem(name, "dismissed");
    isDismissed.value = true;
  };
  return (
    <Section
      title={words.firstSteps}
      actions={
        <Button kind="plain" icon="close" iconOnly onClick={dismiss}>
          {app.close}
        </Button>
      }
    >
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.name} class={setup[step.name] ? "done" : undefined}>
            <Icon name={setup[step.name] ? "check" : "next"} />
            {setup[step.name] ? (
              <span>
                {words.steps[step.name]} <span class="visually-hidden">({words.done})</span>
              </span>
            ) : (
              <a href={step.href}>{words.steps[step.name]}</a>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
