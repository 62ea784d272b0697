/** Chooses a file. The browser's own control speaks the browser's language, not that of the console. */
import type { Signal } from "@preact/signals";
import { Icon } from "./icon.tsx";

interface FileFieldProps {
  label: string;
  value: Signal<File | undefined>;
  /** Media types, separated by commas. */
  accept: string;
  /** On a phone, it opens the camera at once. */
  isCamera?: boolean;
}

export const FileField = ({ label, value, accept, isCamera = false }: FileFieldProps) => (
  <div class="title-line">
    <label class="button file">
      <Icon name={isCamera ? "camera" : "upload"} />
      {label}
      <input
        class="visually-hidden"
        type="file"
        accept={accept}
        capture={isCamera ? "environment" : undefined}
        onChange={({ currentTarget }) => {
          value.value = currentTarget.files?.[0];
        }}
      />
    </label>
    {value.value && !isCamera && <span>{value.value.name}</span>}
  </div>
);
