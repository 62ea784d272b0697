import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** A square drawing that came as text, such as a QR code. As an image it can't run anything. */
export function SvgImage({ svg, alt }: { svg: string; alt: string }) {
  const address = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    address.value = made;
    return () => URL.revokeObjectURL(made);
  }, [svg]);
  return (
    <div class="qr">
      {address.value !== undefined && <img src={address.value} alt={alt} width="200" height="200" />}
    </div>
  );
}
