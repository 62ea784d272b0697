/** Two ways to a file: the camera, where there is one at hand, and the files of the device. The browser's own control speaks its language. */
import { text } from "../app/language.ts";
import { Icon } from "./icon.tsx";

interface ChooseFileProps {
  onChoose: (file: File) => unknown;
}

export function ChooseFile({ onChoose }: ChooseFileProps) {
  const { files: words } = text();
  return (
    <div class="row-actions">
      <span class="camera">
        <Way label={words.takePhoto} accept="image/jpeg,image/png" isCamera onChoose={onChoose} />
      </span>
      <Way label={words.choose} accept="image/jpeg,image/png,application/pdf" onChoose={onChoose} />
    </div>
  );
}

interface WayProps extends ChooseFileProps {
  label: string;
  /** Media types, separated by commas. */
  accept: string;
  isCamera?: boolean;
}

const Way = ({ label, accept, isCamera = false, onChoose }: WayProps) => (
  <label class="button file">
    <Icon name={isCamera ? "camera" : "upload"} />
    {label}
    <input
      class="visually-hidden"
      type="file"
      accept={accept}
      capture={isCamera ? "environment" : undefined}
      onChange={({ currentTarget }) => {
        const file = currentTarget.files?.[0];
        // So that the same file, taken away again, can be chosen anew.
        currentTarget.value = "";
        if (file) onChoose(file);
      }}
    />
  </label>
);
