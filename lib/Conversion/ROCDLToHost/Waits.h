// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The waits that cover moves to LDS, and pauses, as sites of the lane.

#ifndef FLY_LIB_CONVERSION_ROCDLTOHOST_WAITS_H
#define FLY_LIB_CONVERSION_ROCDLTOHOST_WAITS_H

namespace fly::host {

class HostModule;

/// Makes every wait that a move to LDS may need a site (FlyCpuHandlerWait...),
/// so that the runtime can tell which moves are over. False, with nothing
/// changed, if there is no such move, or if a function that is no kernel waits:
/// lanes do not stop in those.
bool markWaits(HostModule &host);

/// Makes every pause of a kernel a site (FlyCpuHandlerSSleep) on chips with
/// barriers in LDS, whose waves look for the phase between pauses: the others
/// have their turn.
void markSleeps(HostModule &host);

} // namespace fly::host

#endif // FLY_LIB_CONVERSION_ROCDLTOHOST_WAITS_H
