// The red-black tree functions that libstdc++ keeps out of its headers, so that one unit holds a whole std::map program.
#pragma once
#include <map>

namespace std {

inline _Rb_tree_node_base *indict_neighbor(_Rb_tree_node_base *x, bool forward)
{
    auto near = [&](_Rb_tree_node_base *n) { return forward ? n->_M_right : n->_M_left; };
    auto far = [&](_Rb_tree_node_base *n) { return forward ? n->_M_left : n->_M_right; };
    if (!forward && x->_M_color == _S_red && x->_M_parent && x->_M_parent->_M_parent == x)
        return x->_M_right;
    if (near(x)) {
        for (x = near(x); far(x);)
            x = far(x);
        return x;
    }
    _Rb_tree_node_base *y = x->_M_parent;
    while (x == near(y)) {
        x = y;
        y = y->_M_parent;
    }
    return near(x) != y ? y : x;
}

_Rb_tree_node_base *_Rb_tree_increment(_Rb_tree_node_base *x) noexcept { return indict_neighbor(x, true); }
_Rb_tree_node_base *_Rb_tree_decrement(_Rb_tree_node_base *x) noexcept { return indict_neighbor(x, false); }
const _Rb_tree_node_base *_Rb_tree_increment(const _Rb_tree_node_base *x) noexcept
{
    return indict_neighbor(const_cast<_Rb_tree_node_base *>(x), true);
}
const _Rb_tree_node_base *_Rb_tree_decrement(const _Rb_tree_node_base *x) noexcept
{
    return indict_neighbor(const_cast<_Rb_tree_node_base *>(x), false);
}

// Lifts the child on the side away from the rotation into the place of `x`.
inline void indict_rotate(_Rb_tree_node_base *x, bool left, _Rb_tree_node_base *&root)
{
    _Rb_tree_node_base *y = left ? x->_M_right : x->_M_left;
    _Rb_tree_node_base *&inner = left ? y->_M_left : y->_M_right;
    (left ? x->_M_right : x->_M_left) = inner;
    if (inner)
        inner->_M_parent = x;
    y->_M_parent = x->_M_parent;
    if (x == root)
        root = y;
    else if (x == x->_M_parent->_M_left)
        x->_M_parent->_M_left = y;
    else
        x->_M_parent->_M_right = y;
    inner = x;
    x->_M_parent = y;
}

void _Rb_tree_insert_and_rebalance(const bool left, _Rb_tree_node_base *x, _Rb_tree_node_base *parent,
                                   _Rb_tree_node_base &header) noexcept
{
    _Rb_tree_node_base *&root = header._M_parent;
    x->_M_parent = parent;
    x->_M_left = x->_M_right = nullptr;
    x->_M_color = _S_red;
    (left ? parent->_M_left : parent->_M_right) = x;
    if (parent == &header)
        header._M_parent = header._M_left = header._M_right = x;
    else if (left && parent == header._M_left)
        header._M_left = x;
    else if (!left && parent == header._M_right)
        header._M_right = x;
    while (x != root && x->_M_parent->_M_color == _S_red) {
        _Rb_tree_node_base *grand = x->_M_parent->_M_parent;
        bool on_left = x->_M_parent == grand->_M_left;
        _Rb_tree_node_base *uncle = on_left ? grand->_M_right : grand->_M_left;
        if (uncle && uncle->_M_color == _S_red) {
            x->_M_parent->_M_color = uncle->_M_color = _S_black;
            grand->_M_color = _S_red;
            x = grand;
            continue;
        }
        if (x == (on_left ? x->_M_parent->_M_right : x->_M_parent->_M_left)) {
            x = x->_M_parent;
            indict_rotate(x, on_left, root);
        }
        x->_M_parent->_M_color = _S_black;
        grand->_M_color = _S_red;
        indict_rotate(grand, !on_left, root);
    }
    root->_M_color = _S_black;
}

}
