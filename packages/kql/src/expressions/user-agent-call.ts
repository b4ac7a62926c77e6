import { say } from '@tyrian/diagnostics';
import { call, constant, foldScalar } from '@tyrian/plan';
import { messages } from '../messages.ts';
import { argumentsOf, spanOf } from '../syntax.ts';
import { convertTo } from './convert.ts';
import type { SpecialCall } from './special-call.ts';

const PARTS = ['browser', 'os', 'device'];

/** `parse_user_agent(text, "browser")` or `(text, dynamic(["browser", "os", "device"]))`; what is asked for is known. */
export const parseUserAgent: SpecialCall = (node, context, lowering) => {
  const nothing = constant('dynamic', null);
  const [text, lookFor] = argumentsOf(node).map((arg) => lowering.expression(arg, context));
  if (!text || !lookFor) {
    lowering.refuse(messages.argumentCount(spanOf(node), 'parse_user_agent'));
    return nothing;
  }
  const known = foldScalar(lookFor);
  if (known.kind !== 'constant') {
    lowering.refuse(messages.mustBeConstant(spanOf(node), 'parse_user_agent', 2));
    return nothing;
  }
  const parts = partsOf(known.type === 'dynamic' ? parsed(String(known.value)) : known.value);
  if (!parts) {
    const why = say('userAgentParts');
    lowering.refuse(messages.badArgument(spanOf(node), 'parse_user_agent', why));
    return nothing;
  }
  return call('dynamic', 'parse_user_agent', convertTo(text, 'string'), constant('string', parts.join(',')));
};

function partsOf(value: unknown): readonly string[] | null {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const parts = list.map((one) => String(one).toLowerCase());
  return parts.length > 0 && parts.every((one) => PARTS.includes(one)) ? parts : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}
