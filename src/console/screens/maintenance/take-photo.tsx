/** Two ways to a file: a phone opens its camera for the first. Each that is taken is handed on at once. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { FileField } from "../../ui/file-field.tsx";
import { maintenanceText } from "./words.ts";

const photographed = "image/jpeg,image/png";

interface TakePhotoProps {
  /** Media types of files. */
  accept: string;
  onTake: (file: File) => unknown;
}

export function TakePhoto({ accept, onTake }: TakePhotoProps) {
  const words = maintenanceText();
  const taken = useSignal<File | undefined>(undefined);
  useEffect(() => {
    const file = taken.value;
    if (file === undefined) return;
    taken.value = undefined;
    void onTake(file);
  }, [taken.value]);
  return (
    <div class="row-actions">
      <FileField label={words.takePhoto} value={taken} accept={photographed} isCamera />
      <FileField label={words.chooseFile} value={taken} accept={accept} />
    </div>
  );
}
