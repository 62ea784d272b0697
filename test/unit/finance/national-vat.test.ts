import { expect, test } from "bun:test";
import fc from "fast-check";
import { converted } from "../../../src/core/exchange-rates.ts";
import { nationalVatOfCredit } from "../../../src/modules/finance/invoices/national-vat.ts";

const digits = fc.bigInt(1n, 10n ** 12n);
const rate = digits.map((units) => {
  const text = String(units).padStart(11, "0");
  return `${text.slice(0, -10)}.${text.slice(-10)}`;
});

test("credits of an invoice state no more VAT together than it does, less of it never more, and all of it the same", () => {
  const currencies = fc.constantFrom("USD", "JPY", "KWD", "PLN");
  const history = fc.record({ rate, from: currencies, vat: fc.nat(1_000_000), parts: fc.array(fc.nat(100_000)) });
  const property = fc.property(history, fc.boolean(), ({ rate, from, vat, parts }, isNegative) => {
    const sign = isNegative ? -1 : 1;
    const conversion = { from, to: "EUR", rate };
    const stated = converted(vat, conversion);
    const left = { vat: sign * vat, national: sign * stated };
    for (const part of [...parts, Number.POSITIVE_INFINITY]) {
      const credited = sign * Math.min(part, sign * left.vat);
      const national = nationalVatOfCredit(left, credited, conversion);
      expect(Math.abs(national - converted(credited, conversion))).toBeLessThanOrEqual(1);
      left.vat -= credited;
      left.national -= national;
      expect(Math.abs(left.national - converted(left.vat, conversion))).toBeLessThanOrEqual(1);
      expect(sign * left.national).toBeGreaterThanOrEqual(0);
    }
    expect(left.vat === 0 && left.national === 0).toBe(true);
  });
  fc.assert(property, { numRuns: 300 });
});
