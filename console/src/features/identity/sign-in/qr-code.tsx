import { useMemo } from 'react';
import { renderSVG } from 'uqr';
import classes from './auth-card.module.css';

/** A QR code, dark on white in either theme: cameras want it so. */
export function QrCode({ value, label }: { readonly value: string; readonly label: string }) {
  const source = useMemo(
    () => `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(value, { border: 0 }))}`,
    [value],
  );
  return (
    <div className={classes.qr}>
      <img src={source} alt={label} width={192} height={192} />
    </div>
  );
}
