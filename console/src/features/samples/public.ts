// What other features use of samples: those of a rule of a pack, those of a draft, their state, and what a tenant asks.

export { DraftSamples } from './draft-samples.tsx';
export { RuleSamples } from './rule-samples.tsx';
export { SamplePolicySettings } from './sample-policy-settings.tsx';
export { SAMPLE_TONES } from './sample-words.ts';
