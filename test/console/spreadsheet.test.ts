/** CSV files as spreadsheets save them. */
import { describe, expect, test } from "bun:test";
import { de } from "../../src/console/text/de.ts";
import { en } from "../../src/console/text/en.ts";
import { decoded, inApiWords, type Words } from "../../src/console/ui/spreadsheet.ts";

describe("decoded", () => {
  const saved = "Käthe Öztürk;Günther Süß;50 €";
  const inWindows = saved.replace("€", "\x80");

  test("reads UTF-8 with and without its mark, UTF-16 and Windows-1252", () => {
    expect(decoded(new TextEncoder().encode(saved))).toBe(saved);
    expect(decoded(new TextEncoder().encode(`\uFEFF${saved}`))).toBe(saved);
    expect(decoded(Buffer.from(`\uFEFF${saved}`, "utf16le"))).toBe(saved);
    expect(decoded(Buffer.from(inWindows, "latin1"))).toBe(saved);
    expect(decoded(new Uint8Array())).toBe("");
  });
});

describe("inApiWords", () => {
  test("knows the headings and values of both languages", () => {
    const german =
      "Name;Funktion;E-Mail\r\nKäthe Öztürk;Flugschülerin;k@example.com\r\nDörte Ähle;Fluglehrer, Pilot;\r\n";
    expect(inApiWords(german, de.imports.columns.people)).toBe(
      "name,types,email\r\nKäthe Öztürk,student,k@example.com\r\nDörte Ähle,instructor|pilot,\r\n",
    );
    expect(inApiWords("Name,Function\nTom Stein,Student\n", en.imports.columns.people)).toBe(
      "name,types\r\nTom Stein,student\r\n",
    );
    expect(inApiWords("Kennzeichen;Muster;Klasse\nD-EABC;Cessna 172S;tmg\n", de.imports.columns.aircraft)).toBe(
      "registration,model,class\r\nD-EABC,Cessna 172S,TMG\r\n",
    );
  });

  test("keeps the numbers of the lines, and a file that needs no change as it is", () => {
    const { people } = de.imports.columns;
    expect(inApiWords('Name;Funktion\n\n"Tom\nStein";Pilot\n\n\nEva;Pilot', people)).toBe(
      'name,types\r\n\r\n"Tom\nStein",pilot\r\n\r\n\r\nEva,pilot\r\n',
    );
    expect(inApiWords("name;types\n\nTom;student|pilot", people)).toBe("name;types\n\nTom;student|pilot");
  });

  test("leaves what it does not know to the check", () => {
    const words: Words = {
      name: { headings: ["Name"] },
      types: { headings: ["Funktion"], values: { pilot: ["Pilot"] } },
    };
    expect(inApiWords("Name;Schuhgröße\nTom;43\n", words)).toBe("name,Schuhgröße\r\nTom,43\r\n");
    expect(inApiWords("Funktion\nKassenwart\n", words)).toBe("types\r\nKassenwart\r\n");
    expect(inApiWords('name;x\n"not closed', words)).toBe('name;x\n"not closed');
    expect(inApiWords("constructor;__proto__\na/b;c/d\n", words)).toBe("constructor;__proto__\na/b;c/d\n");
    expect(inApiWords("", words)).toBe("");
  });

  test.each([
    [de.imports.examples.people, de.imports.columns.people],
    [en.imports.examples.people, en.imports.columns.people],
    [de.imports.examples.aircraft, de.imports.columns.aircraft],
    [en.imports.examples.aircraft, en.imports.columns.aircraft],
  ])("the example that the console shows has columns that the API has: %#", (example, words) => {
    const [head = ""] = inApiWords(example, words).split("\r\n");
    const columns = [
      "name",
      "email",
      "types",
      "licence_number",
      "registration",
      "model",
      "class",
      "icao_type",
      "hobbs",
    ];
    expect(head.split(",").filter((column) => !columns.includes(column))).toEqual([]);
  });
});
