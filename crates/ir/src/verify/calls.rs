//! L6, L18: the particulars of calls.

use crate::function::InstId;
use crate::inst::{Call, Callee, Inst};
use crate::types::Type;

use super::module::check_param_aligns;
use super::{BodyCx, Law, Position, Sink};

pub(super) fn check(cx: &BodyCx<'_>, sink: &mut Sink) {
    for (id, data) in cx.body.insts.iter_ids() {
        if let Inst::Call { call } = data.inst {
            check_call(cx, id, &cx.body.calls[call], sink);
        }
    }
}

fn check_call(cx: &BodyCx<'_>, id: InstId, call: &Call, sink: &mut Sink) {
    let place = Position::Inst(id);
    let body = cx.body;
    let mut need = |holds: bool, message: &str| sink.expect(holds, Law::L18, place, || message.into());
    if let Callee::Ptr(address) = call.callee {
        need(body.ty(address) == Type::Ptr, "the callee is not a pointer");
    }
    need(call.arg_attrs.len() == call.args.len(), "there is not one promise per argument");
    let n_fixed = call.signature.params.len();
    let enough = call.args.len() == n_fixed || (call.signature.variadic && call.args.len() > n_fixed);
    need(enough, "the number of arguments is not the signature's");
    let args = call.args.iter().map(|&it| body.ty(it));
    need(
        args.zip(&call.signature.params).all(|(arg, param)| arg == *param),
        "an argument is not of the parameter's type",
    );
    let results = body.results(id).map(|it| body.values[it].ty);
    need(results.eq(call.signature.results.iter().copied()), "the results are not the signature's");
    check_param_aligns(&call.arg_attrs, place, sink);
}
