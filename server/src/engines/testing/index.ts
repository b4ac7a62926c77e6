export { type TestAnswer, type TestApp, type TestCall, testApp } from './test-app.ts';
export { type TestPlatform, type TestPlatformOptions, testPlatform } from './test-platform.ts';
