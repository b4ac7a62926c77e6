import type { FastifyInstance } from 'fastify';

// What a feature hands back to the composition: what it registers and what it runs.

/** Routes of a feature. */
export interface RoutedFeature {
  register(app: FastifyInstance): void | Promise<void>;
}

/** Work that goes on while the server runs: schedulers, listeners, generators. */
export interface BackgroundWork {
  readonly name: string;
  start(): Promise<void>;
  /** Ends within two seconds and leaves nothing half done. */
  stop(): Promise<void>;
}
