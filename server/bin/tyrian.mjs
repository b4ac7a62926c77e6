#!/usr/bin/env node
// Runs the program from its TypeScript sources. Node loads tsx into this same process, so that signals, exit codes
// and standard streams need no relay.
import { register } from 'tsx/esm/api';

register();
await import('../src/main.ts');
