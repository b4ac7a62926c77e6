import { z } from 'zod';
import { reason } from '../../messages/input-messages.ts';

/**
 * A mail address as somebody types it. Hardly checked, since the answer must not tell what is wrong with it; control
 * characters are refused, which no address has and no database keeps.
 */
export const typedAddress = z
  .string()
  .trim()
  .min(3)
  .max(254)
  .regex(/^\P{Cc}*$/u, reason('controlCharacters'));
