/** The checks of the rules about the person who pays. */
import type { RulesAbout } from "../../rules/clearance-rules.ts";
import type { PayerFacts } from "../facts/facts.shapes.ts";
import { type Case, type Found, found } from "./found.ts";

export interface PayerCase extends Omit<Case, "aircraft" | "use"> {
  payer: PayerFacts;
}

export const payerChecks: Record<RulesAbout<"payer">, (payerCase: PayerCase) => Found[]> = {
  /** The message has no amount: members read it who may not see the account. */
  balance_below_limit: ({ payer: { available_minor, limit_minor } }) =>
    available_minor.every((amount) => amount >= limit_minor)
      ? []
      : [
          found(
            "The account of the person who pays is below the school's limit.",
            "A payment, so that the account is not below the limit.",
          ),
        ],
};
