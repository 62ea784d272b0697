/** Photos from the camera of the device, or files from it: each that is taken is added. */
import type { Signal } from "@preact/signals";
import { Button } from "../../ui/button.tsx";
import { ChooseFile } from "../../ui/choose-file.tsx";
import { maintenanceText } from "./words.ts";

export function PhotosField({ value }: { value: Signal<readonly File[]> }) {
  const words = maintenanceText();
  return (
    <div class="form">
      <ChooseFile
        onChoose={(file) => {
          value.value = [...value.peek(), file];
        }}
      />
      {value.value.length > 0 && (
        <ul class="rows" aria-label={words.photos}>
          {value.value.map((file, at) => (
            <li key={`${file.name} ${at}`}>
              <div class="row-text as-written">{file.name}</div>
              <Button
                kind="plain"
                icon="close"
                iconOnly
                onClick={() => {
                  value.value = value.peek().filter((one) => one !== file);
                }}
              >
                {words.removePhoto(file.name)}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
