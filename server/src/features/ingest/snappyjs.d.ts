declare module 'snappyjs' {
  /** Unpacks a block of Snappy. Throws for what is none, and beyond `maxLength` bytes. */
  export function uncompress(bytes: Uint8Array, maxLength?: number): Uint8Array;
  export function compress(bytes: Uint8Array): Uint8Array;
}
