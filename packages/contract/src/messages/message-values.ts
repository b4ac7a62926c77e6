import { z } from 'zod';

// The form in which a message travels.

/** A name or number as it is, or a part of the sentence that is translated by itself. */
export type MessageValue = string | number | ServerMessage;

/** By the names in the template. */
export type MessageValues = Readonly<Record<string, MessageValue>>;

export interface ServerMessage {
  readonly code: string;
  readonly values: MessageValues;
  /** English. */
  readonly text: string;
}

const valueSchema: z.ZodType<MessageValue> = z.union([
  z.string(),
  z.number(),
  z.lazy(() => serverMessageSchema),
]);

export const messageValuesSchema = z.record(z.string(), valueSchema);

export const serverMessageSchema: z.ZodType<ServerMessage> = z.object({
  code: z.string(),
  values: messageValuesSchema,
  text: z.string(),
});

/** A message as it is stored: its English is made anew when it is read. */
export const storedMessageSchema = z.object({ code: z.string(), values: messageValuesSchema });

/** What an answer carries beside an English sentence, so that it can be shown in the reader's language. */
export const messageFields = {
  messageCode: z.string().optional(),
  messageValues: messageValuesSchema.optional(),
};

/** A sentence with what its reader translates it by; without a code it is nobody's to translate. */
export interface CodedText {
  readonly message: string;
  readonly messageCode?: string | undefined;
  readonly messageValues?: MessageValues | undefined;
}
