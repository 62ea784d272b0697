/** Photos from the camera of the device, or files from it: each that is taken is added. */
import type { Signal } from "@preact/signals";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { maintenanceText } from "./words.ts";

export const accepted = "image/jpeg,image/png,application/pdf";
const photographed = "image/jpeg,image/png";

interface TakeProps {
  /** Called with each that is taken. */
  onTake: (file: File) => unknown;
}

/** The two ways to a file: a phone opens its camera for the first. */
export function TakePhoto({ onTake }: TakeProps) {
  const words = maintenanceText();
  const take = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    for (const file of currentTarget.files ?? []) void onTake(file);
    // The same file may be chosen again.
    currentTarget.value = "";
  };
  return (
    <div class="row-actions">
      <label class="button file">
        <Icon name="camera" />
        {words.takePhoto}
        <input class="visually-hidden" type="file" accept={photographed} capture="environment" onChange={take} />
      </label>
      <label class="button plain file">
        <Icon name="upload" />
        {words.chooseFile}
        <input class="visually-hidden" type="file" accept={accepted} multiple onChange={take} />
      </label>
    </div>
  );
}

export function PhotosField({ value }: { value: Signal<readonly File[]> }) {
  const words = maintenanceText();
  return (
    <div class="form">
      <TakePhoto
        onTake={(file) => {
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
