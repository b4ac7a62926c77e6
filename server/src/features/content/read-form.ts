import { CONTENT_LIMITS, say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';

// A form with a file (multipart/form-data), read as browsers read one: by the parser of Node itself, in memory, within the
// limit of the body.

const MOST_FIELDS = 20;

/** The fields of a form by name, its file as bytes with its name in `file_name`. Throws AppError `bad-input`. */
export async function readForm(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  const form = await formOf(body, contentType);
  const fields: Record<string, unknown> = Object.create(null);
  let count = 0;
  for (const [name, value] of form) {
    count += 1;
    if (count > MOST_FIELDS || name in fields) throw new AppError('bad-input', say('content.formBroken'));
    if (typeof value === 'string') fields[name] = value;
    else {
      fields[name] = Buffer.from(await value.arrayBuffer());
      fields.file_name ??= value.name.slice(0, 300);
    }
  }
  return { ...fields };
}

async function formOf(body: Buffer, contentType: string): Promise<FormData> {
  try {
    const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
    return await response.formData();
  } catch {
    throw new AppError('bad-input', say('content.formBroken'));
  }
}

/** Bytes of a form: the archive and its fields. */
export const FORM_BYTES = CONTENT_LIMITS.archiveBytes + 256 * 1024;
